package io.jobqueue;

import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * Selects schedules to list, ordered by name. Immutable: each condition returns a copy.
 *
 * <pre class="code">
 * RecurringJobQuery.all().namePrefix("digest-").limit(100)</pre>
 */
@CheckReturnValue
public final class RecurringJobQuery {

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 1_000;

	private @Nullable String namePrefix;

	private @Nullable String after;

	private int limit = DEFAULT_LIMIT;

	private RecurringJobQuery() {
	}

	private RecurringJobQuery(RecurringJobQuery other) {
		this.namePrefix = other.namePrefix;
		this.after = other.after;
		this.limit = other.limit;
	}

	/**
	 * Select all schedules.
	 * @return the query
	 */
	public static RecurringJobQuery all() {
		return new RecurringJobQuery();
	}

	/**
	 * Select schedules whose name begins with a text.
	 * @param prefix the text
	 * @return a copy with that condition
	 */
	public RecurringJobQuery namePrefix(String prefix) {
		RecurringJobQuery copy = new RecurringJobQuery(this);
		copy.namePrefix = Objects.requireNonNull(prefix, "'prefix' must not be null");
		return copy;
	}

	/**
	 * Select the page that follows another one of the same query.
	 * @param position the value of {@link RecurringJobPage#next()} of the other page
	 * @return a copy that begins there
	 */
	public RecurringJobQuery after(String position) {
		RecurringJobQuery copy = new RecurringJobQuery(this);
		copy.after = Objects.requireNonNull(position, "'position' must not be null");
		return copy;
	}

	/**
	 * Set the maximum number of schedules of a page. Default: 50.
	 * @param limit the number, from 1 to 1,000
	 * @return a copy with that limit
	 * @throws IllegalArgumentException if the number is out of range
	 */
	public RecurringJobQuery limit(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_LIMIT,
				() -> "'limit' must be a number from 1 to %s, but is %s".formatted(MAX_LIMIT, limit));
		RecurringJobQuery copy = new RecurringJobQuery(this);
		copy.limit = limit;
		return copy;
	}

	/**
	 * Return the beginning of the names.
	 * @return the text, empty for all names
	 */
	public Optional<String> namePrefix() {
		return Optional.ofNullable(this.namePrefix);
	}

	/**
	 * Return the position after which the page begins.
	 * @return the position, empty for the first page
	 */
	public Optional<String> after() {
		return Optional.ofNullable(this.after);
	}

	/**
	 * Return the maximum number of schedules of a page.
	 * @return the number
	 */
	public int limit() {
		return this.limit;
	}

}
