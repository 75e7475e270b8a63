package io.jobqueue.internal.operations;

import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query is immutable: each condition returns a copy.
 */
class JobQueryTests {

	@Test
	void eachConditionKeepsTheOthers() {
		JobQuery query = JobQuery.all()
			.limit(7)
			.error("secret")
			.key("secret")
			.fingerprint("java.lang.Exception at Mail.send")
			.queue("emails")
			.states(JobState.DEAD)
			.type("mail")
			.group("g")
			.root(new UUID(0, 7))
			.batch(new UUID(0, 8))
			.enqueuedFrom(Instant.EPOCH)
			.enqueuedBefore(Instant.EPOCH)
			.finishedFrom(Instant.EPOCH)
			.finishedBefore(Instant.EPOCH)
			.fromPosition(7)
			.after("position");
		assertThat(query.limit()).isEqualTo(7);
		assertThat(query.limit(8)).hasToString("JobQuery[queue=emails, states=[DEAD], type=mail, key=(hidden), group=g,"
				+ " root=00000000-0000-0000-0000-000000000007, batch=00000000-0000-0000-0000-000000000008, error=(hidden), fingerprint=java.lang.Exception at Mail.send,"
				+ " enqueuedFrom=1970-01-01T00:00:00Z, enqueuedBefore=1970-01-01T00:00:00Z, finishedFrom=1970-01-01T00:00:00Z,"
				+ " finishedBefore=1970-01-01T00:00:00Z, fromPosition=7, after=position]");
	}

	@Test
	void conditionDoesNotChangeItsQuery() {
		JobQuery query = JobQuery.all().queue("emails");
		assertThat(query.type("mail")).isNotSameAs(query);
		assertThat(query).hasToString("JobQuery[queue=emails]");
	}

}
