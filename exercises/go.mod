module github.com/torchmem/workbook/exercises

go 1.26.0

require github.com/torchmem/workbook v0.0.0

require (
	github.com/dustin/go-humanize v1.1.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/torchmem/workbook => ../
