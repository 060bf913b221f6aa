// Package web writes recordings as one page for a browser.
//
// The page shows what a program did to the memory of a GPU: each allocation as a
// band, as high as its bytes and as long as its life; the curves of what was
// allocated and reserved; and, for any moment, the segments with their blocks,
// the tensors that hold most, and the statement that was running. Several
// recordings, such as the programs of a lesson, are in one page and can be
// compared.
//
// # One file
//
// The page is a single file that needs no network and no server. Style, script
// and data are inside. A policy in its head forbids everything else: the browser
// runs only the one script whose hash the policy names, and loads nothing.
//
// The data are JSON in an element that no browser runs. What could end the
// element early, or begin a comment, is escaped. The script puts texts on the
// page as texts and never as markup. So a tensor may be named as it likes.
//
// # Why plain canvas
//
// Libraries for charts draw lines, bars and areas. None draws this picture: a
// hundred thousand bands that lie on each other and slide down whenever a lower
// one ends. With one shape for each band, such a page takes seconds to move. Here
// the script goes through the columns of pixels from left to right and carries
// the list of bands that are alive along. It then fills each column from below.
// The work depends on the pixels and on how many bands are alive at once, not on
// how long the history is. What remains for a library, some axes and labels,
// would not be worth a build step. The script is read as it stands in the folder
// page: go run needs nothing else.
//
// # Moments
//
// A moment is a number of events that have happened. Moment 0 is before the
// first. A band has the moment at which it begins, the one at which it is asked
// to end, and the one at which its memory is free for others. The last two differ
// only for blocks that wait for another stream.
//
// # Long histories
//
// A page of a million events would be slow to open. Beyond a limit, the page
// shows the largest allocations and all segments, and what is left out as one
// grey band. It says how much that is. The curves stay exact at every moment that
// is shown, and the peaks are always among them.
//
// # What piles up
//
// A leak in a loop has a form: the same line runs again and again, and what it
// made the last times is still there. Such bands have a colour of their own, see
// [timeline.Pile]. So have the others that are held at the end.
//
// # Reading the code
//
// [Write] is in write.go. lives.go goes through the events, spaces.go turns
// addresses into places, thin.go shortens long histories, and data.go lays all of
// it out for the script. The script is in page, one file an idea, and main.js
// joins them.
package web
