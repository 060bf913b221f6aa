"""The exercises in Python, a file for each lesson.

The order in a file is that of solutions/tasks: for each exercise the starter and the answer, which have the statements of
the Go functions, then a function that makes a case of sizes. A function's names are alive when it calls end, its last
statement, as those of a script are when it ends."""


class Task:
    """One exercise: its functions by name, and its cases, each a function of a Run and one of the functions."""

    def __init__(self, cases, **functions):
        self.cases, self.functions = dict(cases), functions
