package predict

// Report is what came of a game. It is printed as JSON.
type Report struct {
	Lesson  string `json:"lesson"`
	Program string `json:"program"`
	// Asked counts the questions that were answered or skipped.
	Score
	ByCounter map[string]*Score `json:"by_counter"`
	Answers   []Answer          `json:"answers"`

	misses []miss
}

// Score counts questions.
type Score struct {
	Asked   int `json:"asked"`
	Right   int `json:"right"`
	Skipped int `json:"skipped"`
}

func (s *Score) count(a Answer) {
	s.Asked++
	if a.Right {
		s.Right++
	}
	if a.Predicted == nil {
		s.Skipped++
	}
}

// Answer is what was said to one question.
type Answer struct {
	Statement string `json:"statement"`
	Counter   string `json:"counter"`
	// Predicted is nil for a question that was skipped.
	Predicted *int64 `json:"predicted"`
	Actual    int64  `json:"actual"`
	Right     bool   `json:"right"`
	// Near says that only the rounding to 512 bytes is missing.
	Near bool `json:"near,omitempty"`
}

func newReport(s story) *Report {
	r := &Report{Lesson: s.lesson, Program: s.program, ByCounter: map[string]*Score{}, Answers: []Answer{}}
	for _, c := range counters {
		r.ByCounter[c.name] = &Score{}
	}
	return r
}

func (r *Report) add(a Answer) {
	r.count(a)
	r.ByCounter[a.Counter].count(a)
	r.Answers = append(r.Answers, a)
}

// mostMissed returns the rule that was overlooked most, of equals the first,
// and how often. It returns nil if no miss has a rule.
func (r *Report) mostMissed() (most *rule, times int) {
	count := map[*rule]int{}
	for _, m := range r.misses {
		count[ruleOf(m)]++
	}
	for _, m := range r.misses {
		if rule := ruleOf(m); rule != nil && count[rule] > times {
			most, times = rule, count[rule]
		}
	}
	return most, times
}
