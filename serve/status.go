package serve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// domain is the domain of the reasons in a status's google.rpc.ErrorInfo.
const domain = "privateer"

func fail(code codes.Code, detail protoadapt.MessageV1, text string) error {
	st := status.New(code, text)
	if with, err := st.WithDetails(detail); err == nil {
		st = with
	}
	return st.Err()
}

// brief shortens a text so that it fits into a header with everything else: clients
// have 8 KiB for a status, which has the text twice and up to three bytes for each letter.
func brief(text string) string {
	const longest = 1000
	if len(text) <= longest {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:longest], ""), len(text))
}

// badField says which field of a request is wrong, and what would be right.
func badField(field, format string, args ...any) error {
	text := brief(fmt.Sprintf(format, args...))
	return fail(codes.InvalidArgument, &errdetails.BadRequest{
		FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: field, Description: text}},
	}, field+": "+text)
}

// wrongTime says that a request came at the wrong time, as field shows.
func wrongTime(field, format string, args ...any) error {
	text := brief(fmt.Sprintf(format, args...))
	return fail(codes.FailedPrecondition, &errdetails.PreconditionFailure{
		Violations: []*errdetails.PreconditionFailure_Violation{{Type: "STATE", Subject: field, Description: text}},
	}, field+": "+text)
}

// tooMuch says which limit is reached.
func tooMuch(limit, format string, args ...any) error {
	text := brief(fmt.Sprintf(format, args...))
	return fail(codes.ResourceExhausted, &errdetails.QuotaFailure{
		Violations: []*errdetails.QuotaFailure_Violation{{Subject: limit, Description: text}},
	}, limit+": "+text)
}

// tooOften says when to try again.
func tooOften(wait time.Duration) error {
	return comeAgain(wait, fmt.Sprintf("requests_per_second: too many requests: try again in %s", wait.Round(time.Millisecond)))
}

// comeAgain says that something is used up until later.
func comeAgain(wait time.Duration, text string) error {
	return fail(codes.ResourceExhausted, &errdetails.RetryInfo{RetryDelay: durationpb.New(wait)}, text)
}

func notFound(field string) error {
	return fail(codes.NotFound, &errdetails.ErrorInfo{Reason: "NOT_FOUND", Domain: domain, Metadata: map[string]string{"field": field}},
		field+": there is none of that name: it was closed, its lease ended, or it never was")
}

// again ends a request that is to be sent again: the session is as it was.
func again(code codes.Code, reason, text string) error {
	return fail(code, &errdetails.ErrorInfo{Reason: reason, Domain: domain}, text)
}

// wideAction is an illegal action that was given as a number which no engine.Action can be.
type wideAction struct {
	*env.IllegalActionError
	given int64
}

func (e *wideAction) Unwrap() error { return e.IllegalActionError }

// asGiven has an error of actions that readActions has read from t name the number that is there.
func asGiven(err error, t *pb.Tensor) error {
	if err == nil || t.GetDtype() != pb.DType_D_TYPE_INT64 {
		return err
	}
	var illegal *env.IllegalActionError
	var refused *engine.IllegalActionError
	if !errors.As(err, &illegal) || !errors.As(err, &refused) {
		return err
	}
	given := int64(binary.LittleEndian.Uint64(t.Data[8*illegal.Row:]))
	if given == int64(illegal.Action) {
		return err
	}
	named := *refused
	named.Action = fmt.Sprintf("action(%d)", given)
	return &wideAction{&env.IllegalActionError{Row: illegal.Row, Seat: illegal.Seat, Action: illegal.Action, Err: &named}, given}
}

// vecStatus is the status of an error of a vector.
func vecStatus(err error) error {
	var illegal *env.IllegalActionError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &illegal):
		action := int64(illegal.Action)
		if wide := (*wideAction)(nil); errors.As(err, &wide) {
			action = wide.given
		}
		st := status.New(codes.InvalidArgument, brief("actions: "+illegal.Error()))
		field := fmt.Sprintf("actions[%d]", illegal.Row)
		with, bad := st.WithDetails(
			&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: field, Description: brief(illegal.Err.Error())}}},
			&errdetails.ErrorInfo{Reason: "ILLEGAL_ACTION", Domain: domain, Metadata: map[string]string{
				"row": strconv.Itoa(illegal.Row), "seat": strconv.Itoa(illegal.Seat), "action": strconv.FormatInt(action, 10),
			}})
		if bad == nil {
			st = with
		}
		return st.Err()
	case errors.Is(err, env.ErrNotReset):
		return wrongTime("session_id", "the session has not been reset: send a reset command first")
	case errors.Is(err, env.ErrClosed):
		return notFound("session_id")
	}
	return status.Error(codes.Internal, brief(err.Error()))
}
