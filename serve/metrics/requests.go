package metrics

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
)

// Requests counts what gRPC does. It is a stats.Handler.
type Requests struct {
	methods []string       // full names; the last is "other"
	index   map[string]int // of the methods
	cells   [][cells]cell  // by method
	next    atomic.Uint32  // whose cell the next request writes

	handled  *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// cells is how many parts a method's counters have.
const cells = 8

type cell struct {
	started, ended           atomic.Int64
	received, sent           atomic.Int64 // messages
	receivedBytes, sentBytes atomic.Int64 // on the wire
	_                        [64]byte
}

// newRequests knows the methods given, as "/privateer.v1.PolicyService/Act"; all
// others are counted as one.
func newRequests(methods []string) *Requests {
	r := &Requests{
		methods: append(append([]string{}, methods...), "other"), index: map[string]int{},
		handled: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "privateer_grpc_requests_handled_total", Help: "Requests ended, by status code; a stream is one request.",
		}, []string{"method", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "privateer_grpc_request_duration_seconds", Help: "Time from the beginning of a request to its status; of a stream, its life.",
			Buckets: prometheus.ExponentialBuckets(1e-4, 4, 12),
		}, []string{"method", "code"}),
	}
	for i, m := range r.methods {
		r.index[m] = i
	}
	r.cells = make([][cells]cell, len(r.methods))
	return r
}

type requestKey struct{}

type request struct {
	method string
	cell   *cell
}

// of finds the cell of a method's next request.
func (r *Requests) of(method string) *request {
	i, known := r.index[method]
	if !known {
		i = len(r.methods) - 1
	}
	return &request{r.methods[i], &r.cells[i][r.next.Add(1)%cells]}
}

// Refused counts a request that was refused before gRPC reported it.
func (r *Requests) Refused(method string, err error) {
	q := r.of(method)
	q.cell.started.Add(1)
	q.cell.ended.Add(1)
	r.handled.WithLabelValues(q.method, codeOf(err).String()).Inc()
}

// TagRPC implements stats.Handler.
func (r *Requests) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, requestKey{}, r.of(info.FullMethodName))
}

// HandleRPC implements stats.Handler.
func (r *Requests) HandleRPC(ctx context.Context, s stats.RPCStats) {
	q, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return
	}
	switch s := s.(type) {
	case *stats.Begin:
		q.cell.started.Add(1)
	case *stats.InPayload:
		q.cell.received.Add(1)
		q.cell.receivedBytes.Add(int64(s.WireLength))
	case *stats.OutPayload:
		q.cell.sent.Add(1)
		q.cell.sentBytes.Add(int64(s.WireLength))
	case *stats.End:
		q.cell.ended.Add(1)
		code := codeOf(s.Error).String()
		r.handled.WithLabelValues(q.method, code).Inc()
		r.duration.WithLabelValues(q.method, code).Observe(s.EndTime.Sub(s.BeginTime).Seconds())
	}
}

func codeOf(err error) codes.Code {
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return codes.OK
	case errors.Is(err, context.Canceled):
		return codes.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return codes.DeadlineExceeded
	}
	if code := status.Code(err); code <= codes.Unauthenticated {
		return code
	}
	// Any number can be a code: the label must not have them all.
	return codes.Unknown
}

// TagConn implements stats.Handler.
func (r *Requests) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn implements stats.Handler.
func (r *Requests) HandleConn(context.Context, stats.ConnStats) {}

var (
	startedDesc       = prometheus.NewDesc("privateer_grpc_requests_started_total", "Requests begun; a stream is one request.", []string{"method"}, nil)
	runningDesc       = prometheus.NewDesc("privateer_grpc_requests_running", "Requests begun and not ended.", []string{"method"}, nil)
	receivedDesc      = prometheus.NewDesc("privateer_grpc_messages_received_total", "Messages received.", []string{"method"}, nil)
	sentDesc          = prometheus.NewDesc("privateer_grpc_messages_sent_total", "Messages sent.", []string{"method"}, nil)
	receivedBytesDesc = prometheus.NewDesc("privateer_grpc_received_bytes_total", "Bytes of the messages received, as on the wire.", []string{"method"}, nil)
	sentBytesDesc     = prometheus.NewDesc("privateer_grpc_sent_bytes_total", "Bytes of the messages sent, as on the wire.", []string{"method"}, nil)
)

// Describe implements prometheus.Collector.
func (r *Requests) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{startedDesc, runningDesc, receivedDesc, sentDesc, receivedBytesDesc, sentBytesDesc} {
		ch <- d
	}
	r.handled.Describe(ch)
	r.duration.Describe(ch)
}

// Collect implements prometheus.Collector: it adds the cells up.
func (r *Requests) Collect(ch chan<- prometheus.Metric) {
	for i, method := range r.methods {
		var started, ended, received, sent, in, out int64
		for k := range r.cells[i] {
			c := &r.cells[i][k]
			// Ended first: a request that ends meanwhile is then at most counted as running.
			ended += c.ended.Load()
			started += c.started.Load()
			received += c.received.Load()
			sent += c.sent.Load()
			in += c.receivedBytes.Load()
			out += c.sentBytes.Load()
		}
		counter(ch, startedDesc, started, method)
		gauge(ch, runningDesc, float64(started-ended), method)
		counter(ch, receivedDesc, received, method)
		counter(ch, sentDesc, sent, method)
		counter(ch, receivedBytesDesc, in, method)
		counter(ch, sentBytesDesc, out, method)
	}
	r.handled.Collect(ch)
	r.duration.Collect(ch)
}
