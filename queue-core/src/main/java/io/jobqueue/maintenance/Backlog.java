package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.logging.DurationText;
import io.jobqueue.logging.LogText;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.SearchStore;
import io.jobqueue.store.SearchStore.FoundJob;

/**
 * The due jobs of a queue, for a line of the log.
 *
 * @param due how many there are, {@code null} if they could not be counted
 * @param oldest how long the oldest one has been due, {@code null} if that is not known
 * @param types the types of some of them
 */
record Backlog(@Nullable Long due, @Nullable Duration oldest, Set<String> types) {

	private static final int SAMPLE = 100;

	private static final int NAMED = 5;

	private static final Duration TIME = Duration.ofSeconds(1);

	static Backlog of(String queue, MonitoringStore gauges, SearchStore search) {
		List<TierSnapshot> tiers = gauges.read(Set.of(queue))
			.tiers()
			.stream()
			.filter((tier) -> tier.queue().equals(queue))
			.toList();
		return new Backlog(due(tiers),
				tiers.stream()
					.map(TierSnapshot::maxAge)
					.filter(Objects::nonNull)
					.max(Comparator.naturalOrder())
					.orElse(null),
				types(queue, search));
	}

	private static @Nullable Long due(List<TierSnapshot> tiers) {
		long due = 0;
		for (TierSnapshot tier : tiers) {
			if (tier.counts() == null) {
				return null;
			}
			due += tier.counts().ready().jobs();
		}
		return due;
	}

	/**
	 * Without their types the line is still worth writing.
	 */
	private static Set<String> types(String queue, SearchStore search) {
		try {
			return search.search(JobQuery.all().queue(queue).states(JobState.READY).limit(SAMPLE), TIME)
				.jobs()
				.stream()
				.map(FoundJob::type)
				.collect(Collectors.toCollection(TreeSet::new));
		}
		catch (DataAccessException ex) {
			return Set.of();
		}
	}

	@Override
	public String toString() {
		String jobs = (this.due != null && this.due > 0) ? LogText.counted(this.due, "due job") : "due jobs";
		String since = (this.oldest != null) ? ", the oldest due for " + DurationText.of(this.oldest) : "";
		return jobs + ofTypes() + since;
	}

	private String ofTypes() {
		if (this.types.isEmpty()) {
			return "";
		}
		String others = (this.types.size() > NAMED) ? ", …" : "";
		return this.types.stream()
			.limit(NAMED)
			.map(LogText::escaped)
			.collect(Collectors.joining(", ", " (", others + ")"));
	}

}
