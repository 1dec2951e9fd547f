module example.com/outside

go 1.26

require github.com/privateer-rl/privateer v0.0.0

replace github.com/privateer-rl/privateer => ../../../..
