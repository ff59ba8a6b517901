module example.com/walk

go 1.25.0

require golang.org/x/oauth2 v0.37.0
