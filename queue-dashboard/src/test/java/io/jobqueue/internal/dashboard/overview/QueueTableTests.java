package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.dashboard.overview.QueueRow.Pause;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.DeadJobs;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.Tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * The rows of the overview.
 */
class QueueTableTests {

	private static final Unresolved NONE_DEAD = dead();

	@Test
	void prioritiesOfAClassAreOneRow() {
		QueueRow row = rows(NONE_DEAD, List.of(), tier("emails", 10, 3, Duration.ofSeconds(5), counts(1, false)),
				tier("emails", 19, 7, Duration.ofSeconds(9), counts(10_000, true)))
			.get(0);
		assertThat(row.subject()).isEqualTo(new QueueClass("emails", PriorityClass.USER_VISIBLE));
		assertThat(row.counts()).isEqualTo(counts(10_001, true));
		assertThat(row.attempts()).isEqualTo(7);
		assertThat(row.oldest()).isEqualTo(Duration.ofSeconds(9));
	}

	@Test
	void tierWithoutDueJobsDoesNotHideTheAgeOfAnother() {
		assertThat(rows(NONE_DEAD, List.of(), tier("emails", 10, 0, Duration.ofSeconds(5), counts(1, false)),
				tier("emails", 11, 0, null, counts(1, false)))
			.get(0)
			.oldest()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void rowsAreOrderedByQueueAndPriority() {
		List<QueueRow> rows = rows(NONE_DEAD, List.of("aardvarks"), tier("letters", 30, 0, null, counts(1, false)),
				tier("letters", 0, 0, null, counts(1, false)), tier("emails", 30, 0, null, counts(1, false)));
		assertThat(rows).extracting((row) -> row.subject().toString())
			.containsExactly("aardvarks", "emails/reporting", "letters/interactive", "letters/reporting");
	}

	@Test
	void servedQueueWithoutJobsHasARow() {
		List<QueueRow> rows = rows(NONE_DEAD, List.of("", "emails", "letters"),
				tier("emails", 10, 0, null, counts(1, false)));
		assertThat(rows).extracting(QueueRow::subject)
			.containsExactly(new QueueClass("emails", PriorityClass.USER_VISIBLE), new QueueClass("letters", null));
		assertThat(rows.get(1).counts()).isEqualTo(counts(0, false));
	}

	@Test
	void deadJobsAreCountedByClass() {
		List<QueueRow> rows = rows(dead(new DeadJobs(new Tier("emails", 0), 4), new DeadJobs(new Tier("emails", 1), 5),
				new DeadJobs(new Tier("emails", 20), 10_000)), List.of());
		assertThat(rows).extracting(QueueRow::dead).containsExactly(new JobCount(9, false), new JobCount(10_000, true));
	}

	@Test
	void unknownNumbersAreNotZero() {
		QueueRow row = rows(null, List.of(), tier("emails", 10, 0, null, counts(1, false)),
				tier("emails", 11, 0, null, null))
			.get(0);
		assertThat(row.counts()).isNull();
		assertThat(row.dead()).isNull();
	}

	@Test
	void pauseOfTheQueueOutweighsThoseOfItsTypes() {
		QueueTable table = new QueueTable(List.of(), NONE_DEAD, List.of("a", "b", "c"), Rates.UNKNOWN);
		List<QueuePause> pauses = List.of(pause("a", null), pause("a", "x"), pause("b", "x"), pause("b", "y"));
		assertThat(table.rows(Rates.UNKNOWN, pauses, (subject) -> false))
			.extracting((row) -> row.subject().queue(), QueueRow::pause)
			.containsExactly(tuple("a", Pause.QUEUE), tuple("b", Pause.TYPES), tuple("c", Pause.NONE));
	}

	private static List<QueueRow> rows(@Nullable Unresolved dead, List<String> served, TierSnapshot... tiers) {
		return new QueueTable(List.of(tiers), dead, served, Rates.UNKNOWN).rows(Rates.UNKNOWN, List.of(),
				(subject) -> false);
	}

	private static TierSnapshot tier(String queue, int priority, int failures, @Nullable Duration age,
			@Nullable TierCounts counts) {
		return new TierSnapshot(queue, priority, failures, 0, age, counts);
	}

	private static TierCounts counts(long ready, boolean capped) {
		JobCount none = new JobCount(0, false);
		return new TierCounts(none, new JobCount(ready, capped), none, none, none);
	}

	private static Unresolved dead(DeadJobs... jobs) {
		return new Unresolved(List.of(jobs), true, Map.of(), true, Duration.ZERO);
	}

	private static QueuePause pause(String queue, @Nullable String type) {
		return new QueuePause(queue, type, Instant.EPOCH, null, null);
	}

}
