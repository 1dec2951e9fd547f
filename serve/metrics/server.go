package metrics

import (
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/privateer-rl/privateer/serve/version"
)

// Server is everything that a server exports.
type Server struct {
	*Registry
	Sessions *Sessions
	Requests *Requests
}

// NewServer makes the metrics of a server with these gRPC methods, each as
// "/privateer.v1.PolicyService/Act". tables returns how many tables are open.
func NewServer(methods []string, tables func() int) *Server {
	s := &Server{NewRegistry(), newSessions(), newRequests(methods)}
	s.registry.MustRegister(s.Sessions, s.Requests, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "privateer_tables", Help: "Hosted matches under way, of clients with bots.",
	}, func() float64 { return float64(tables()) }))
	return s
}

// Registry has what every process exports: the Go runtime, the process, the build.
type Registry struct{ registry *prometheus.Registry }

// NewRegistry makes one.
func NewRegistry() *Registry {
	r := prometheus.NewRegistry()
	version, revision := version.Build()
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "privateer_build_info", Help: "1; the labels say what runs.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": runtime.Version()},
	}, func() float64 { return 1 })
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), build)
	return &Registry{r}
}

// Gatherer is what Prometheus would read now.
func (r *Registry) Gatherer() prometheus.Gatherer { return r.registry }

// Handler serves /metrics, /healthz, which answers 200 while healthy is true and
// 503 otherwise, and with profile /debug/pprof.
func (r *Registry) Handler(healthy func() bool, profile bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r.registry, promhttp.HandlerOpts{Registry: r.registry, EnableOpenMetrics: true}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if !healthy() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n")) // the client has gone
	})
	if profile {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// HTTP is a server of Handler's pages that does not wait for slow requests. (A deadline for a
// whole request would end the profiles that take longer.)
func (r *Registry) HTTP(healthy func() bool, profile bool) *http.Server {
	return &http.Server{
		Handler:           r.Handler(healthy, profile),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
}
