# Two images from one file:
#
#   docker build -t privateer .                        plays, simulates, serves positions
#   docker build -t privateer-train --target train .   trains too (libtorch 1.13 of Debian 12)
#
# Go 1.26 on Debian 12, whose libtorch is the one that train/libtorch/versions.env pins.

FROM golang:1.26-bookworm AS source
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .

FROM source AS build-plain
RUN CGO_ENABLED=0 go build -trimpath -ldflags=-s -o /out/privateer ./cmd/privateer

FROM source AS build-torch
RUN train/libtorch/setup.sh && make build-torch

# What training needs at run time: the binary, its libraries, a place for runs.
FROM debian:12.12-slim AS train
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends libtorch1.13 libopenblas0-openmp \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 10001 captain
COPY --from=build-torch /src/bin/privateer /usr/local/bin/privateer
COPY --from=source /src/train/configs /usr/local/share/privateer/configs
USER 10001
WORKDIR /home/captain
ENTRYPOINT ["privateer"]
CMD ["train", "--config", "/usr/local/share/privateer/configs/quickstart.yaml"]

FROM gcr.io/distroless/static-debian12:nonroot AS plain
COPY --from=build-plain /out/privateer /privateer
USER 65532
ENTRYPOINT ["/privateer"]
CMD ["--help"]
