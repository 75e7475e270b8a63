package io.jobqueue.performance;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.TestPool;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * What a worker asks of the database while there is nothing to do: a whole minute of it,
 * as the intervals are those of an application. Two nodes on a database each share that
 * minute.
 */
@Tag("slow") // counts the statements of an idle minute
class IdleGateTests extends GateTestBase {

	/**
	 * A worker that listens doubles its poll interval from 500 ms to 10 s, which takes
	 * 15.5 s, and longer on a busy machine.
	 */
	private static final Duration UNTIL_CALM = Duration.ofSeconds(30);

	/**
	 * Somewhat less, as a minute that begins with the turn of a task that has one every
	 * ten seconds holds seven of its turns, not six.
	 */
	private static final Duration MINUTE = Duration.ofSeconds(57);

	/**
	 * A busy machine stretches the time between the first and the last figure: then it is
	 * measured again.
	 */
	private static final Duration LONGEST = Duration.ofMillis(59_500);

	private static final int ROUNDS = 4;

	private Count whilePolling = Count.NONE;

	private Count whileListening = Count.NONE;

	@BeforeAll
	void passAMinute() {
		TestDatabase other = closeLater(MigratedDatabase.create());
		ServerFigures ofOther = new ServerFigures(JdbcClient.create(other.dataSource()));
		idle(settings().name("polls"));
		QueueNode hears = idle(
				settings(closeLater(TestPool.of(other.dataSource(), 10))).name("hears").listensOn(other.dataSource()));
		await().until(() -> hears.remoteSignals().isConnected());
		pass(UNTIL_CALM);
		Duration took = LONGEST;
		for (int round = 0; round < ROUNDS && took.compareTo(LONGEST) >= 0; round++) {
			took = measure(ofOther);
		}
	}

	private Duration measure(ServerFigures ofOther) {
		long since = System.nanoTime();
		this.figures.reset();
		ofOther.reset();
		pass(MINUTE);
		this.whilePolling = Count.of(this.figures);
		this.whileListening = Count.of(ofOther);
		return Duration.ofNanos(System.nanoTime() - since);
	}

	@Test
	void withPollingAlone() {
		this.whilePolling.check(150, "Statements of an idle worker in a minute with polling alone");
	}

	/**
	 * Heartbeats, and the first turns of the purge and of the search for unserved queues.
	 */
	@Test
	void withTheListener() {
		this.whileListening.check(8, "Statements of an idle worker in a minute with the listener");
	}

	private QueueNode idle(TestNodeSettings settings) {
		return node(settings.defaults().handler((mail, job) -> this.handled.incrementAndGet())).start();
	}

	private static void pass(Duration time) {
		Awaitility.await().pollDelay(time).atMost(time.multipliedBy(2)).until(() -> true);
	}

	private record Count(long statements, String texts) {

		static final Count NONE = new Count(Long.MAX_VALUE, "");

		static Count of(ServerFigures figures) {
			return new Count(figures.statementsOfRows(), figures.textsOfRows());
		}

		void check(int limit, String what) {
			Gate.atMost(limit, (double) this.statements, what + ", namely" + this.texts);
		}

	}

}
