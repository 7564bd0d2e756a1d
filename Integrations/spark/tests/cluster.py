"""A standalone cluster of Spark on this machine: a master and two workers of one core each.

Only processes that this cluster started are ever killed, by their ids.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pyspark

HOME = pathlib.Path(pyspark.__file__).parent
JOB = pathlib.Path(__file__).resolve().parents[1] / "steno_spark.py"
# Compiles little, since most of these processes live for seconds.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Longer than even a busy machine needs.
PATIENCE = 600


def wait(for_what, condition, process=None):
    """Waits until a condition holds; returns its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        if process and process.poll() is not None:
            raise AssertionError(f"the job ended with {process.returncode} before {for_what}")
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {for_what}")


class Cluster:
    """The processes of a cluster."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = os.environ | {
            "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "SPARK_NO_DAEMONIZE": "1", "PYTHONDONTWRITEBYTECODE": "1", "SPARK_DAEMON_JAVA_OPTS": JAVA,
            "SPARK_DAEMON_MEMORY": "300m",
        }
        self.processes, self.jobs = {}, []

    def __enter__(self):
        log = self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0")
        found = wait("the master", lambda: re.search(r"spark://127\.0\.0\.1:\d+", log.read_text()))
        self.address = found.group()
        for name in ("worker-1", "worker-2"):
            self.start_worker(name)
        return self

    def __exit__(self, *error):
        for job in self.jobs:
            job.kill()
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait()

    def start_worker(self, name):
        """Starts a worker of one core."""
        self._start(
            name, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "2g",
            "--work-dir", str(self.folder / name), self.address,
        )

    def kill_worker(self, name):
        """Kills a worker as the system does when it is out of memory."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def _start(self, name, kind, *arguments):
        log = self.folder / f"{name}.log"
        with open(log, "wb") as file:
            self.processes[name] = subprocess.Popen(
                [HOME / "bin" / "spark-class", kind, "--webui-port", "0", *arguments],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=self.environment,
            )
        return log

    def submit(self, *arguments):
        """Starts a job."""
        job = RunningJob(self, len(self.jobs), [str(argument) for argument in arguments])
        self.jobs.append(job)
        return job


class RunningJob:
    """A submitted job: the driver, and the processes that run for it."""

    def __init__(self, cluster, number, arguments):
        self.cluster, self.log = cluster, cluster.folder / f"job-{number}.log"
        settings = {
            "spark.driver.memory": "700m", "spark.executor.memory": "700m", "spark.executor.cores": "1",
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4", "spark.driver.host": "127.0.0.1",
            "spark.executorEnv.PYTHONDONTWRITEBYTECODE": "1", "spark.driver.extraJavaOptions": JAVA,
            "spark.executor.extraJavaOptions": JAVA,
        }
        conf = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
        command = [HOME / "bin" / "spark-submit", "--master", cluster.address, *conf, str(JOB), *arguments]
        with open(self.log, "wb") as file:
            # In its own process group: the driver is Java with Python as its child.
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=cluster.environment,
                start_new_session=True,
            )

    @property
    def text(self):
        return self.log.read_text(errors="replace")

    def wait(self):
        """Waits for the end; returns the exit code and the job's messages."""
        code = self.process.wait(timeout=1800)
        said = [line for line in self.text.splitlines() if line.startswith("steno: ")]
        return code, said

    def wait_for(self, what, condition):
        """Waits until a condition holds while the job runs."""
        return wait(what, condition, self.process)

    def finished(self):
        """The number of recordings in finished tasks, as reported by the job."""
        counts = re.findall(r"^steno: (\d+) of \d+ recordings,", self.text, re.MULTILINE)
        return int(counts[-1]) if counts else 0

    def kill(self):
        """Kills the driver's whole process group."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def executors(self):
        """The ids of the executors' processes."""
        return self._processes("CoarseGrainedExecutorBackend")

    def workers(self):
        """The ids of the `steno` processes."""
        return self._processes("--from-list")

    def busy_worker(self):
        """The id of a `steno` process that is computing; None if there is none."""
        before = {pid: _ticks(pid) for pid in self.workers()}
        time.sleep(0.2)
        # Loading the model takes fewer.
        return next((pid for pid, ticks in before.items() if ticks > 100 and _ticks(pid) > ticks), None)

    def _processes(self, word):
        """Descendants of the cluster's Spark workers whose command contains a word."""
        roots = {process.pid for process in self.cluster.processes.values()}
        parents, commands = {}, {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                status = (entry / "stat").read_text()
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])

        def is_ours(pid):
            while pid in parents:
                if pid in roots:
                    return True
                pid = parents[pid]
            return False

        return [pid for pid, command in commands.items() if word in command and is_ours(pid)]


def _ticks(pid):
    """The processor time of a process, in hundredths of a second; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])
