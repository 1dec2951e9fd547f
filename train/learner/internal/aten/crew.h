// A crew of OS threads that do one thing together: part k of it is done by
// thread k, part 0 by the caller. Each works with one thread of libtorch: rows
// split among whole passes over the network keep every core busier than each
// operation split for itself, with a barrier after every one.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <torch/torch.h>

class Crew {
public:
  // The threads are never stopped: they sleep when there is nothing to do.
  void resize(int parts) {
    std::lock_guard<std::mutex> lock(mutex_);
    size_ = std::max(1, parts);
    while (int(called_.size()) < size_ - 1) {
      called_.push_back(false);
      std::thread([this, k = called_.size() - 1] { work(k); }).detach();
    }
    failed_.resize(called_.size() + 1);
  }

  int size() const { return size_; }

  // Runs f(0) … f(parts-1), at most size() of them, and waits for all. Throws
  // the exception of the first part that failed.
  void run(int parts, const std::function<void(int)> &f) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      task_ = &f;
      left_ = parts - 1;
      for (int k = 0; k < parts - 1; k++)
        called_[k] = true;
    }
    if (parts > 1)
      call_.notify_all();
    attempt(0);
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return left_ == 0; });
    for (int k = 0; k < parts; k++)
      if (failed_[k])
        std::rethrow_exception(failed_[k]);
  }

private:
  void attempt(int part) {
    try {
      failed_[part] = nullptr;
      (*task_)(part);
    } catch (...) {
      failed_[part] = std::current_exception();
    }
  }

  void work(size_t k) {
    at::set_num_threads(1);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      call_.wait(lock, [&] { return called_[k]; });
      called_[k] = false;
      lock.unlock();
      attempt(int(k) + 1);
      lock.lock();
      if (--left_ == 0)
        done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable call_, done_;
  std::vector<bool> called_; // by thread, without the caller
  std::vector<std::exception_ptr> failed_; // by part
  const std::function<void(int)> *task_ = nullptr;
  int size_ = 1, left_ = 0;
};
