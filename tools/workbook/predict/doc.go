// Package predict is a game: say what memory will be before you see it.
//
// A lesson is easy to nod at. To find out whether its rules are understood, one
// has to use them. So the game shows a program statement by statement, as
// PyTorch spells it, and asks after each for three counters: what is allocated,
// what is reserved, and the peak. Then it shows the truth.
//
// # Where the truth comes from
//
// The game knows no numbers of its own. It runs the lesson with -json and reads
// the rows. So it asks for what the lesson shows, and what the lesson shows is
// compared with recordings of PyTorch.
//
// # What counts as right
//
// A number of bytes is right if it is the counter's. A number with decimals,
// such as 3.8 MiB, is right if the counter reads the same to as many decimals.
// A number that leaves out only the rounding to 512 bytes is a near miss: it is
// not right, and the game says what is missing.
//
// Where the rows show which rule a wrong number overlooks, the rule is said,
// and at the end the one that was overlooked most.
//
// # Loops
//
// A loop shows the same statement many times. Once it has changed the counters
// in the same way three times, the learner has understood, and the rest of the
// rows that do the same are summed up.
//
// # Who plays
//
// It is a conversation of plain lines. It works on a terminal, through a pipe,
// and for a program that writes one answer a line and wants one JSON object.
package predict
