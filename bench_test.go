package workbook_test

import (
	"os/exec"
	"testing"
)

// BenchmarkLesson runs each lesson's command from start to exit and reports
// the time and the largest resident memory of a run.
func BenchmarkLesson(b *testing.B) {
	for _, number := range lessons() {
		b.Run(number, func(b *testing.B) {
			var resident int64
			for b.Loop() {
				run := exec.Command(command(number))
				if err := run.Run(); err != nil {
					b.Fatal(err)
				}
				resident = max(resident, maxResident(run))
			}
			b.ReportMetric(float64(resident)/(1<<20), "MiB-resident")
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/op")
			b.ReportMetric(0, "ns/op")
		})
	}
}
