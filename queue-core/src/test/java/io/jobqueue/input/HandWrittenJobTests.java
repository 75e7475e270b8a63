package io.jobqueue.input;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobHandler;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that were written into the table by hand. The handler alone says what is decoded
 * to: nothing in a row makes the worker create anything else.
 */
class HandWrittenJobTests extends NodeTestBase {

	static final String TRAP = "{\"@class\":\"%1$s\",\"@type\":\"%1$s\",\"type\":\"%1$s\"}"
		.formatted(Trap.class.getName());

	static final List<String> READABLE = List.of("{\"count\":7}", "{\"count\":\"7\"}",
			"{\"unknown\":{\"a\":[1]},\"count\":7}", " \n{\"count\" : 7 }\t", "{\"count\":1,\"count\":7}",
			"{\"count\":7,\"@class\":\"%s\"}".formatted(Trap.class.getName()));

	static final List<String> UNREADABLE = List.of("", " ", "null", "7", "\"7\"", "[7]", "{", "{\"count\":7",
			"{\"count\":{}}", "{\"count\":[\"%s\",{}]}".formatted(Trap.class.getName()), "{\"count\":7} {\"count\":8}",
			"{\"count\":1e999999999}", "{\"count\":%s}".formatted("9".repeat(100_000)),
			"{\"deep\":" + "[".repeat(100_000), "<count>7</count>");

	private static final AtomicInteger TRAPS = new AtomicInteger();

	private static final BlockingQueue<Object> RECEIVED = new LinkedBlockingQueue<>();

	@BeforeEach
	void start() {
		TRAPS.set(0);
		RECEIVED.clear();
		started((settings) -> settings.maxAttempts(1).bean(new Receiver()));
	}

	@ParameterizedTest
	@FieldSource("READABLE")
	void readablePayloadReachesItsHandler(String payload) throws Exception {
		byHand("Tally", payload);
		assertThat(RECEIVED.poll(30, TimeUnit.SECONDS)).isEqualTo(new Tally(BigInteger.valueOf(7)));
		assertThat(TRAPS).hasValue(0);
	}

	@ParameterizedTest
	@FieldSource("UNREADABLE")
	void unreadablePayloadIsAFailedAttempt(String payload) {
		UUID job = byHand("Tally", payload);
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("of a job of type 'Tally' cannot be read");
		assertThat(RECEIVED).isEmpty();
		assertThat(TRAPS).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "%s", "{\"nested\":%s}", "{\"list\":[1,{\"deep\":%s}]}" })
	void payloadThatNamesAClassIsNothingButAMap(String around) throws Exception {
		byHand("anything", around.formatted(TRAP));
		assertThat(RECEIVED.poll(30, TimeUnit.SECONDS)).isInstanceOf(Map.class)
			.asString()
			.contains(Trap.class.getName());
		assertThat(TRAPS).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(classes = { Trap.class, Tally.class, Receiver.class, String.class })
	void typeThatNamesAClassIsUnknown(Class<?> type) throws Exception {
		UUID strange = byHand(type.getName(), "{}");
		byHand("Tally", "{\"count\":7}");
		assertThat(RECEIVED.poll(30, TimeUnit.SECONDS)).isInstanceOf(Tally.class);
		assertThat(column("attempts", strange, Integer.class)).isZero();
		assertThat(TRAPS).hasValue(0);
	}

	private UUID byHand(String type, String payload) {
		UUID id = UUID.randomUUID();
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				VALUES (?, now(), now(), 10, 'by-hand', ?, ?)
				""").param(id).param(type).param(payload).update();
		return id;
	}

	record Tally(BigInteger count) {
	}

	/**
	 * What no row may bring to life.
	 */
	public static final class Trap {

		public Trap() {
			TRAPS.incrementAndGet();
		}

	}

	@JobHandler(queue = "by-hand")
	static final class Receiver {

		void handle(Tally payload) {
			RECEIVED.add(payload);
		}

		@JobHandler(queue = "by-hand", type = "anything")
		void anything(Map<String, Object> payload) {
			RECEIVED.add(payload);
		}

	}

}
