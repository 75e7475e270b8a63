package io.jobqueue.internal.store.postgresql.signal;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * The numbers of sessions show whether a pooler is between client and server.
 */
@Tag("pooler") // signals
class PostgresSubscriptionTests {

	private static final int DRIVER_SESSION = -1;

	private static final int OF_ANOTHER_POOLER = 2;

	private final AtomicInteger transactions = new AtomicInteger();

	/**
	 * Another client has one transaction after our first, so that every second one of
	 * ours has the same session.
	 */
	@Test
	void poolerWhoseTwoSessionsTakeTurnsIsSeen() {
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> PostgresSubscription.requireOwnSession(DRIVER_SESSION, this::nextOfTwoWithAnotherClient,
					this::nextOfTwo))
			.withMessageContaining("a pooler in transaction mode");
	}

	/**
	 * The other sessions of the application prove nothing: they belong to another pooler.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void poolerWhoseTwoSessionsTakeTurnsIsSeenByThemAlone(boolean shared) {
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> PostgresSubscription.requireOwnSession(DRIVER_SESSION,
					shared ? this::nextOfTwoWithAnotherClient : this::nextOfTwo, () -> OF_ANOTHER_POOLER))
			.withMessageContaining("a pooler in transaction mode");
	}

	@Test
	void poolerWithOneSessionIsSeen() {
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> PostgresSubscription.requireOwnSession(DRIVER_SESSION, () -> 1, () -> 1));
	}

	@Test
	void poolerThatLendsForAsLongAsAConnectionIsGoodEnough() {
		assertThatNoException()
			.isThrownBy(() -> PostgresSubscription.requireOwnSession(DRIVER_SESSION, () -> 1, () -> 2));
	}

	private int nextOfTwoWithAnotherClient() {
		int session = nextOfTwo();
		this.transactions.compareAndSet(1, 2);
		return session;
	}

	private int nextOfTwo() {
		return this.transactions.getAndIncrement() % 2;
	}

}
