module example.com/ship

go 1.23

require unpublished.example/countersign v0.1.0

replace unpublished.example/countersign => ../../clients/go
