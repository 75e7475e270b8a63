package io.jobqueue.boot.autoconfigure;

import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.pull.DefaultJobPuller;
import io.jobqueue.worker.JobWorker;
import io.jobqueue.worker.execution.RunningJob;

/**
 * The jobs that run in this JVM.
 *
 * @param worker runs jobs by handlers
 * @param puller runs jobs on threads of the application
 */
record RunningJobs(ObjectProvider<JobWorker> worker, ObjectProvider<DefaultJobPuller> puller) {

	Stream<RunningJob> stream() {
		return Stream.concat(this.worker.stream().flatMap((each) -> each.running().stream()),
				this.puller.stream().flatMap((each) -> each.running().stream()));
	}

}
