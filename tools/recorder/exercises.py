"""Record what the exercises use on PyTorch. usage: exercises.py OUT

The folder twins has each exercise in Python: the input of its cases, the starter and the answer, as plain PyTorch that
reads beside the Go of solutions. Each of them is measured as runtime/grade measures, in a process of its own."""
import json, multiprocessing, re, sys, traceback, warnings
import torch
from twins import lesson02, lesson03, lesson04, lesson05, lesson06, lesson07, lesson08

TASKS = {**lesson02.TASKS, **lesson03.TASKS, **lesson04.TASKS, **lesson05.TASKS, **lesson06.TASKS, **lesson07.TASKS, **lesson08.TASKS}
AT_A_TIME = 8  # processes; the GPU has room for all, and none sees the others' allocations


class Run:
    """Measures one function. The names of the metrics are those of runtime/grade."""

    def __init__(self):
        self.got, self.raised, self.again = {}, None, None

    def measure(self, function, *args):
        """Calls the function. It calls its last argument as its last statement, while its names are alive."""
        torch.cuda.reset_peak_memory_stats()
        self.before = torch.cuda.memory_stats()
        try:
            function(*args, self.end)
        except torch.OutOfMemoryError as error:  # the traceback keeps the function's names
            self.raised = {"error": type(error).__name__, "text": own(str(error)), "statement": statement(error)}
            self.end()

    def end(self):
        before, now = self.before, torch.cuda.memory_stats()
        self.got = {
            "peak allocated": now["allocated_bytes.all.peak"],
            "peak reserved": now["reserved_bytes.all.peak"],
            "allocated at the end": now["allocated_bytes.all.current"],
            "reserved at the end": now["reserved_bytes.all.current"],
            "driver allocations": now["num_device_alloc"] - before["num_device_alloc"],
            "live tensors at the end": live(now) - before["allocation.all.current"],
            "bytes allocated in all": now["requested_bytes.all.allocated"] - before["requested_bytes.all.allocated"],
        }
        if self.again is not None:
            self.got["layers run again"] = self.again

    def count_calls(self, *modules):
        """Counts how often the modules run in a backward pass."""
        self.again = 0
        for m in modules:
            m.register_forward_pre_hook(self.count)

    def count(self, module, args):
        self.again += torch._C._current_graph_task_id() != -1


def live(stats):
    """The allocations that tensors hold: all, but for the workspaces of the matrix libraries, which go when they are cleared."""
    torch._C._cuda_clearCublasWorkspaces()
    workspaces = stats["allocation.all.current"] - torch.cuda.memory_stats()["allocation.all.current"]
    return stats["allocation.all.current"] - workspaces


def own(text):
    """What an error says of its own process: the GPU is shared with the other recordings."""
    return re.sub(r" GPU 0 has .* in use\.", "", text).split(" If reserved")[0]


def statement(error):
    """The line of the twin that raised the error."""
    return traceback.extract_tb(error.__traceback__)[-1].line


def record(job):
    """Runs in a fresh process: one function of one case."""
    name, case, which = job
    torch.cuda.init()
    run, task = Run(), TASKS[name]
    task.cases[case](run, task.functions[which])
    return job, run.got, run.raised


def main(out):
    warnings.simplefilter("ignore")
    jobs = [(name, case, which) for name, task in TASKS.items() for case in task.cases for which in task.functions]
    tasks, raised = {}, []
    with multiprocessing.get_context("fork").Pool(AT_A_TIME, maxtasksperchild=1) as pool:
        for (name, case, which), got, error in pool.imap(record, jobs, chunksize=1):
            tasks.setdefault(name, {}).setdefault(case, {})[which] = got
            if error:
                raised.append({"task": name, "case": case, "function": which, **error})
    device = torch.cuda.get_device_properties(0)
    found = {"torch": torch.__version__, "device": device.name, "total_memory": device.total_memory, "tasks": tasks, "raised": raised}
    with open(out, "w") as f:
        json.dump(found, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
