package io.jobqueue.internal.direct;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.SourceStore.Assignment;
import io.jobqueue.internal.worker.completion.Completion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lines about jobs that are tried again until the database stores them.
 */
class RefusedJobsTests {

	private final OpenJobs open = new OpenJobs(Runnable::run);

	private final RefusedJobs jobs = new RefusedJobs(this.open);

	@Test
	void sourceIsLoggedAtTheFirstRefusalAndAfterTheLastJob() {
		try (CapturedLog log = new CapturedLog()) {
			Completion first = refused("topic-0");
			Completion second = refused("topic-0");
			for (int time = 0; time < 10; time++) {
				assertThat(refuse(first)).isFalse();
			}
			assertThat(log.messages("refuses to store")).singleElement()
				.asString()
				.contains(first.job().id().toString(), "source 'topic-0'", "not today", "tried again every second",
						"change what refuses it");
			assertThat(log.levels("refuses to store")).containsExactly("ERROR");
			assertThat(log.text()).contains("IllegalStateException: handler");
			this.jobs.ended(first.job().id());
			assertThat(log.messages()).hasSize(1);
			this.jobs.ended(second.job().id());
			assertThat(log.messages("refused any more")).singleElement()
				.asString()
				.contains("source 'topic-0'", "12 refusals");
			refuse(first);
			assertThat(log.messages("refuses to store")).hasSize(2);
		}
	}

	@Test
	void eachSourceHasALine() {
		try (CapturedLog log = new CapturedLog()) {
			refused("topic-0");
			Completion other = refused("topic-1");
			assertThat(log.messages("refuses to store")).hasSize(2);
			this.jobs.ended(UUID.randomUUID());
			this.jobs.ended(other.job().id());
			assertThat(log.messages("refused any more")).singleElement().asString().contains("topic-1", "1 refusal");
		}
	}

	private Completion refused(String source) {
		NewJob job = new NewJobBuilder().build();
		ClaimedJob claimed = new ClaimedJobBuilder().id(job.id()).build();
		this.open.add(new DirectJob(job, new Assignment(source, 1), (own, ending) -> {
		}));
		Completion completion = new Completion(claimed, new Released(job.id(), 0), new IllegalStateException("handler"),
				null);
		refuse(completion);
		return completion;
	}

	private boolean refuse(Completion completion) {
		return this.jobs.refused(completion, new DataIntegrityViolationException("not today"));
	}

}
