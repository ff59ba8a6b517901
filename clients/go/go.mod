module unpublished.example/countersign

go 1.23
