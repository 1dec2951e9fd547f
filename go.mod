module github.com/privateer-rl/privateer

go 1.26.8

require (
	github.com/sugarme/gotch v0.9.1 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)
