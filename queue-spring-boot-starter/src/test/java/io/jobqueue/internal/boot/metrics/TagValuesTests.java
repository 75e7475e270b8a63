package io.jobqueue.internal.boot.metrics;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class TagValuesTests {

	private final TestNames names = new TestNames();

	private final AtomicInteger notifications = new AtomicInteger();

	private final TagValues tags = new TagValues(this.names);

	@Test
	void onlyDeclaredNamesAreTags() {
		this.tags.refresh();
		assertThat(this.tags.queue("emails")).isEqualTo("emails");
		assertThat(this.tags.queue("faxes")).isEqualTo("(other)");
		assertThat(this.tags.type("emails", "Mail")).isEqualTo("Mail");
		assertThat(this.tags.type("emails", "Fax")).isEqualTo("(other)");
		assertThat(this.tags.type("faxes", "Mail")).isEqualTo("(other)");
	}

	@Test
	void listenersReceiveNewAlertsOnly() {
		this.tags.onAdded(this.notifications::incrementAndGet);
		this.tags.refresh();
		assertThat(this.notifications).hasValue(1);
		this.tags.refresh();
		this.tags.addForeign(List.of("emails"));
		assertThat(this.notifications).hasValue(1);
		this.names.handled.put("emails", Set.of("Mail", "Fax"));
		this.tags.refresh();
		assertThat(this.notifications).hasValue(2);
		this.tags.addForeign(List.of("faxes"));
		assertThat(this.notifications).hasValue(3);
	}

	@Test
	void queueOfAPayloadIsKnownAtTheFirstCall() {
		this.tags.onAdded(this.notifications::incrementAndGet);
		this.tags.refresh();
		this.names.ofPayloads.add("invoices");
		assertThat(this.tags.queue("invoices")).isEqualTo("invoices");
		assertThat(this.notifications).as("notifications while a call enqueues").hasValue(1);
		this.tags.refresh();
		assertThat(this.tags.queues()).containsExactlyInAnyOrder("emails", "invoices");
		assertThat(this.notifications).hasValue(2);
	}

	@Test
	void whatWasDeclaredOnceStaysATag() {
		this.tags.refresh();
		this.names.handled.clear();
		this.tags.refresh();
		assertThat(this.tags.queue("emails")).isEqualTo("emails");
	}

	@Test
	void queuesOfOtherApplicationsAreBounded(CapturedOutput output) {
		this.tags.refresh();
		this.tags.addForeign(foreign(100, 250));
		assertThat(output).doesNotContain("Other nodes serve");
		this.tags.addForeign(foreign(100, 350));
		this.tags.addForeign(foreign(100, 350));
		assertThat(this.tags.queues()).hasSize(201);
		assertThat(this.tags.queue("queue-299")).isEqualTo("queue-299");
		assertThat(this.tags.queue("queue-300")).isEqualTo("(other)");
		assertThat(output.getOut().lines().filter((line) -> line.contains("Other nodes serve"))).singleElement()
			.asString()
			.contains("WARN")
			.contains("more queues than the 200")
			.contains("such as queue-300,");
	}

	@Test
	void queuesOfThisNodeTakeNoRoom() {
		this.tags.addForeign(foreign(100, 300));
		foreign(290, 310).forEach((queue) -> this.names.handled.put(queue, Set.of("Mail")));
		this.tags.refresh();
		assertThat(this.tags.queues()).hasSize(211);
		this.tags.addForeign(foreign(310, 330));
		assertThat(this.tags.queue("queue-319")).isEqualTo("queue-319");
		assertThat(this.tags.queue("queue-320")).isEqualTo("(other)");
	}

	@Test
	void queuesThatThisNodeGaveUpTakeRoom() {
		this.tags.refresh();
		this.tags.addForeign(foreign(100, 300));
		this.names.handled.clear();
		this.tags.addForeign(foreign(300, 301));
		assertThat(this.tags.queues()).hasSize(201).contains("emails").doesNotContain("queue-300");
	}

	/**
	 * A database returns them in any order.
	 */
	private static List<String> foreign(int from, int to) {
		return IntStream.range(from, to)
			.map((number) -> to - 1 - number + from)
			.mapToObj((number) -> "queue-" + number)
			.toList();
	}

}
