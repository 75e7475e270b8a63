package io.jobqueue.store.postgresql.signal;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Who lends sessions is told by their numbers.
 */
class PostgresSubscriptionTests {

	private static final int TOLD = -1;

	private static final int OF_ANOTHER_POOLER = 2;

	private final AtomicInteger transactions = new AtomicInteger();

	/**
	 * Somebody else has one transaction after our first, so that every other one of ours
	 * would have the same session.
	 */
	@Test
	void poolerWhoseTwoSessionsTakeTurnsIsSeen() {
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(
					() -> PostgresSubscription.requireOwnSession(TOLD, this::nextOfTwoWithSomebody, this::nextOfTwo))
			.withMessageContaining("a pooler in transaction mode");
	}

	/**
	 * The other sessions of the application do not tell: they are those of another
	 * pooler.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void poolerWhoseTwoSessionsTakeTurnsIsSeenByThemAlone(boolean shared) {
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> PostgresSubscription.requireOwnSession(TOLD,
					shared ? this::nextOfTwoWithSomebody : this::nextOfTwo, () -> OF_ANOTHER_POOLER))
			.withMessageContaining("a pooler in transaction mode");
	}

	@Test
	void poolerWithOneSessionIsSeen() {
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> PostgresSubscription.requireOwnSession(TOLD, () -> 1, () -> 1));
	}

	@Test
	void poolerThatLendsForAsLongAsAConnectionIsGoodEnough() {
		assertThatNoException().isThrownBy(() -> PostgresSubscription.requireOwnSession(TOLD, () -> 1, () -> 2));
	}

	private int nextOfTwoWithSomebody() {
		int session = nextOfTwo();
		this.transactions.compareAndSet(1, 2);
		return session;
	}

	private int nextOfTwo() {
		return this.transactions.getAndIncrement() % 2;
	}

}
