package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which types fail, and of which that is not known.
 */
class TypeFailuresTests extends StoreTestBase {

	@Test
	void readsTheHighestNumberOfFailuresOfEachType() {
		enqueue(job("emails", "mail", 10, null, Duration.ZERO, null));
		enqueue(job("emails", "mail", 10, null, Duration.ZERO, null));
		enqueue(job("emails", "fax", 10, null, Duration.ZERO, null));
		enqueue(job("emails", "fax", 20, null, Duration.ZERO, null));
		enqueue(job("invoices", "mail", 10, null, Duration.ZERO, null));
		this.sql.sql("UPDATE jobqueue_job SET failures = seq - (SELECT min(seq) FROM jobqueue_job)").update();
		assertThat(failuresByType(new Tier("emails", 10), new Tier("invoices", 10))).containsExactlyInAnyOrder(
				new TypeFailures(new Tier("emails", 10), "mail", 1, 0),
				new TypeFailures(new Tier("emails", 10), "fax", 2, 0),
				new TypeFailures(new Tier("invoices", 10), "mail", 4, 0));
	}

	@Test
	void typesAreLookedForAmongThoseWithTheMostFailures() {
		enqueue(job("emails", "fax", 10, null, Duration.ZERO, null));
		this.sql.sql("UPDATE jobqueue_job SET failures = 1").update();
		insert(999, "now()", 2);
		assertThat(failuresByType(new Tier("emails", 10))).extracting(TypeFailures::type)
			.containsExactlyInAnyOrder("mail", "fax");
		insert(1, "now()", 2);
		assertThat(failuresByType(new Tier("emails", 10)))
			.containsExactly(new TypeFailures(new Tier("emails", 10), "mail", 2, 2));
	}

	@Test
	void queueThatFailsALotDoesNotHideTheOthers() {
		insert(2_000, "now()", 30);
		enqueue(job("invoices", "fax", 10, null, Duration.ZERO, null));
		this.sql.sql("UPDATE jobqueue_job SET failures = 1 WHERE queue = 'invoices'").update();
		Tier emails = new Tier("emails", 10);
		Tier invoices = new Tier("invoices", 10);
		Tier[] many = Stream
			.concat(Stream.of(emails, invoices),
					IntStream.range(0, 998).mapToObj((number) -> new Tier("queue-" + number, 10)))
			.toArray(Tier[]::new);
		assertThat(failuresByType(many)).containsExactlyInAnyOrder(new TypeFailures(emails, "mail", 30, 30),
				new TypeFailures(invoices, "fax", 1, 0));
	}

	private List<TypeFailures> failuresByType(Tier... tiers) {
		return this.stores.monitoring().failuresByType(List.of(tiers));
	}

}
