package io.jobqueue.internal.boot.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;

import io.jobqueue.RecurringJobRequest;
import io.jobqueue.docs.Documentation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The calls that the documentation shows are answered as it shows.
 */
class EndpointDocumentationTests extends EndpointTestBase {

	private static final Pattern BLOCK = Pattern.compile("^```(sh|json)\\R(.*?)^```",
			Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern CALL = Pattern
		.compile("curl (?:--json '([^']*)' )?'?localhost:8080/actuator/jobqueue([^' ]*)'?");

	EndpointDocumentationTests() {
		super("management.endpoint.jobqueue.access=unrestricted", "management.endpoint.jobqueue.show-values=always");
	}

	@Test
	void callsAreAnsweredAsShown() throws IOException {
		String job = enqueueFailed("hello").toString();
		enqueue("other");
		this.sql.sql("INSERT INTO jobqueue_pause (paused_at, queue, paused_by) VALUES (now(), 'invoices', 'alice')")
			.update();
		schedules().save(RecurringJobRequest.of("digest-42", new Mail("")).cron("0 0 7 * * MON-FRI"));
		schedules().trigger("digest-42");
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				VALUES (now(), 'orders', 'OrderPlaced', 'billing', 'billing', '{region=eu}')
				""").update();
		workflows().start("fulfilment", "hello");
		this.sql.sql("UPDATE jobqueue_workflow SET state = 'FAILED', finished_at = now()").update();
		String batch = batch("import-42").id().toString();
		List<Answer> answers = new ArrayList<>();
		Matcher block = BLOCK.matcher(Files.readString(Documentation.page("endpoint.md")));
		while (block.find()) {
			if (block.group(1).equals("sh")) {
				block.group(2)
					.lines()
					.forEach((line) -> answers.add(call(line.replace("$JOB", job).replace("$BATCH", batch))));
			}
			else {
				assertSimilar(answers.get(answers.size() - 1).json(),
						JsonParserFactory.getJsonParser().parseMap(block.group(2)));
			}
		}
		assertThat(answers).hasSizeGreaterThan(8);
		assertThat(answers.subList(0, answers.size() - 1)).allMatch((answer) -> answer.status() == 200);
		assertThat(answers.get(answers.size() - 1).status()).isEqualTo(409);
	}

	private Answer call(String line) {
		Matcher call = CALL.matcher(line);
		assertThat(call.matches()).as(line).isTrue();
		return (call.group(1) != null) ? post(call.group(2), call.group(1)) : get(call.group(2));
	}

	/**
	 * Ids, numbers and times are others each time.
	 */
	private static void assertSimilar(Object real, Object shown) {
		if (shown instanceof Map<?, ?> object) {
			assertThat(real).isInstanceOf(Map.class);
			object.forEach((name, value) -> {
				assertThat(((Map<?, ?>) real).containsKey(name)).as("%s in %s", name, real).isTrue();
				assertSimilar(((Map<?, ?>) real).get(name), value);
			});
		}
		else if (shown instanceof List<?> list && !list.isEmpty()) {
			assertSimilar(((List<?>) real).get(0), list.get(0));
		}
		else {
			assertThat(real).hasSameClassAs(shown);
		}
	}

}
