package io.jobqueue.store.jdbc;

import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;

/**
 * The ways on which a search meets all jobs that are wanted, and as few others as an
 * index can tell.
 *
 * @param live a statement that steps through live jobs, {@code null} if none is wanted
 * @param archived a statement that steps through archived jobs, {@code null} if none is
 * wanted
 * @param firstArchived where that begins
 */
record SearchWalks(@Nullable String live, @Nullable String archived, SearchPlace firstArchived) {

	static final SearchWalks OLDEST_FIRST = new SearchWalks(null, PostgresSearchSql.ARCHIVED_OLDEST_FIRST,
			SearchPlace.OLDEST_ARCHIVED);

	static SearchWalks of(JobQuery query) {
		Set<JobState> states = query.states();
		boolean onlyFinished = query.finishedFrom().isPresent() || query.finishedBefore().isPresent()
				|| (!states.isEmpty() && states.stream().allMatch(JobState::isFinished));
		boolean anyFinished = states.isEmpty() || states.stream().anyMatch(JobState::isFinished);
		return new SearchWalks(onlyFinished ? null : live(query), anyFinished ? archived(query) : null,
				SearchPlace.NEWEST_ARCHIVED);
	}

	private static String live(JobQuery query) {
		Set<JobState> states = new HashSet<>(query.states());
		if (query.key().isPresent() && query.queue().isPresent()) {
			return PostgresSearchSql.OF_KEY;
		}
		if (query.group().isPresent()) {
			return PostgresSearchSql.OF_GROUP;
		}
		states.removeIf(JobState::isFinished);
		if (states.equals(Set.of(JobState.RUNNING))) {
			return PostgresSearchSql.RUNNING;
		}
		boolean failed = query.error().isPresent() || states.equals(Set.of(JobState.RETRYING));
		return failed ? PostgresSearchSql.FAILED : PostgresSearchSql.LIVE;
	}

	private static String archived(JobQuery query) {
		if (query.queue().isPresent() && query.key().isPresent()) {
			return PostgresSearchSql.ARCHIVED_OF_KEY;
		}
		if (query.queue().isPresent() && query.group().isPresent()) {
			return PostgresSearchSql.ARCHIVED_OF_GROUP;
		}
		if (query.states().isEmpty() || query.states().contains(JobState.SUCCEEDED)) {
			return PostgresSearchSql.ARCHIVED;
		}
		return query.queue().isPresent() ? PostgresSearchSql.UNSUCCESSFUL_OF_QUEUE : PostgresSearchSql.UNSUCCESSFUL;
	}

	/**
	 * Return where a query begins.
	 */
	@Nullable SearchPlace begin(JobQuery query) {
		SearchPlace wanted = query.after().map(SearchPlace::parse).orElse(null);
		if (wanted != null && (wanted.isArchived() || this.live != null)) {
			return (at(wanted) != null) ? wanted : null;
		}
		return (this.live != null) ? SearchPlace.beforeQueue(query.queue().orElse("")) : afterLive();
	}

	/**
	 * Return where to go on when all live jobs have been looked at.
	 */
	@Nullable SearchPlace afterLive() {
		return (this.archived != null) ? this.firstArchived : null;
	}

	@Nullable String at(SearchPlace place) {
		return place.isArchived() ? this.archived : this.live;
	}

}
