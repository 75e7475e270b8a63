package io.jobqueue.input;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.payload.JacksonPayloadCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A payload reaches the handler exactly as it was, or is refused in the caller with
 * nothing stored.
 */
class OddPayloadTests extends NodeTestBase {

	static final List<Object> ODD = List.of(new Nothing(), new Sum(new BigDecimal("1E+400"), BigInteger.ZERO),
			new Sum(new BigDecimal("-0.10"), BigInteger.TEN.pow(999)),
			new Sum(new BigDecimal("1E-400"), BigInteger.valueOf(Long.MIN_VALUE).pow(2).negate()),
			new Figures(Double.MIN_VALUE, Float.MAX_VALUE, Long.MIN_VALUE),
			new Figures(Double.NaN, Float.NEGATIVE_INFINITY, Long.MAX_VALUE), new Text(""), new Text("null"),
			new Text(everyCharacter(0, 0x100)), new Text(everyCharacter(0x2000, 0x2100)),
			new Text(everyCharacter(0xFD00, 0x10000)), new Text("\uD83D\uDE00\uDBFF\uDFFF"),
			new Text("\\u0000 \\ \" ' / ${x} %s {} <a> --"));

	static final List<Object> WITHOUT_A_CLASS = List.of("", " ", "null", "0", Map.of(), Map.of("", ""),
			Map.of("a\0b\n", List.of()), Map.of("type", "@class", "@class", "java.lang.Object"), nested(400));

	private static final BlockingQueue<Object> RECEIVED = new LinkedBlockingQueue<>();

	private QueueNode node = producer();

	private JobQueue queue = this.node.queue();

	@BeforeEach
	void start() {
		RECEIVED.clear();
		this.node = started((settings) -> settings.bean(new Receiver()));
		this.queue = this.node.queue();
	}

	@ParameterizedTest
	@FieldSource("ODD")
	void payloadIsReceivedUnchanged(Object payload) throws Exception {
		this.queue.enqueue(payload);
		assertReceived(payload);
	}

	@ParameterizedTest
	@FieldSource("WITHOUT_A_CLASS")
	void payloadWithoutAClassIsReceivedUnchanged(Object payload) throws Exception {
		this.queue.enqueue(JobRequest.of("odd", payload).type((payload instanceof String) ? "string" : "map"));
		assertReceived(payload);
	}

	@Test
	void largestPayloadIsReceived() throws Exception {
		int braces = "{\"value\":\"\"}".length();
		Text largest = new Text("x".repeat(1_048_576 - braces));
		this.queue.enqueue(largest);
		assertReceived(largest);
		assertRefused(new Text(largest.value() + "x"));
	}

	@Test
	void deeplyNestedPayloadIsRefused() {
		assertRefused(nested(501));
		assertRefused(nested(100_000));
	}

	@Test
	void tooLongNumbersAndNamesAreRefused() {
		assertRefused(new Sum(BigDecimal.ONE, BigInteger.TEN.pow(1_000)));
		assertRefused(Map.of("x".repeat(50_001), 1));
	}

	/**
	 * The application's other JSON may name classes.
	 */
	@Test
	void classNameInThePayloadIsNotInstantiated() throws Exception {
		JsonMapper naming = JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build())
			.build();
		Map<String, Object> payload = Map.of("in", List.of("java.util.HashSet", List.of(1)));
		this.node.jobWorker().stop();
		QueueNode other = started((settings) -> settings.codec(new JacksonPayloadCodec(naming)).bean(new Receiver()));
		other.queue().enqueue(JobRequest.of("odd", payload).type("map"));
		assertReceived(payload);
	}

	@Test
	void cyclicPayloadIsRefused() {
		Map<String, Object> itself = new HashMap<>();
		itself.put("self", itself);
		assertRefused(itself);
	}

	private void assertReceived(Object payload) throws InterruptedException {
		assertThat(RECEIVED.poll(30, TimeUnit.SECONDS)).isEqualTo(payload);
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == 1);
		this.sql.sql("TRUNCATE jobqueue_archive").update();
	}

	private void assertRefused(Object payload) {
		JobRequest request = JobRequest.of("odd", payload);
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.queue.enqueue((payload instanceof Map) ? request.type("map") : request))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("payload"));
		assertThat(count("jobqueue_jobs")).isZero();
	}

	private static String everyCharacter(int from, int to) {
		return IntStream.range(from, to).mapToObj(Character::toString).collect(Collectors.joining());
	}

	private static Map<String, Object> nested(int depth) {
		Map<String, Object> nested = Map.of();
		for (int level = 1; level < depth; level++) {
			nested = Collections.singletonMap("in", nested);
		}
		return nested;
	}

	record Nothing() {
	}

	record Text(String value) {
	}

	record Sum(BigDecimal amount, BigInteger count) {
	}

	record Figures(double wide, float narrow, long whole) {
	}

	@JobHandler(queue = "odd")
	static final class Receiver {

		void handle(Nothing payload) {
			RECEIVED.add(payload);
		}

		void handle(Text payload) {
			RECEIVED.add(payload);
		}

		void handle(Sum payload) {
			RECEIVED.add(payload);
		}

		void handle(Figures payload) {
			RECEIVED.add(payload);
		}

		@JobHandler(queue = "odd", type = "string")
		void string(String payload) {
			RECEIVED.add(payload);
		}

		@JobHandler(queue = "odd", type = "map")
		void map(Map<String, Object> payload) {
			RECEIVED.add(payload);
		}

	}

}
