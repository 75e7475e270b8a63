package io.jobqueue.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the documentation pass their tests, and each has instructions.
 */
class AlertRulesTests {

	private static final Pattern ALERT = Pattern.compile("^ +- alert: (\\w+)$", Pattern.MULTILINE);

	private static final Pattern RUNBOOK = Pattern.compile("^ +runbook: docs/operations.md#(\\w+)$", Pattern.MULTILINE);

	private static final Pattern HEADING = Pattern.compile("^### (JobQueue\\w+)$", Pattern.MULTILINE);

	private static final Pattern QUERY = Pattern.compile("^ +- expr: (.+)$", Pattern.MULTILINE);

	private static final Pattern TESTED = Pattern.compile("^ +- alertname: (\\w+)$", Pattern.MULTILINE);

	@Test
	void rulesAreValid() throws IOException {
		Prometheus.check("check", "rules", "prometheus-rules.yml");
	}

	@Test
	void rulesFireAndRest() throws IOException {
		Prometheus.check("test", "rules", "prometheus-rules-test.yml");
	}

	@Test
	void everyRuleIsTested() throws IOException {
		assertThat(found(TESTED, "prometheus-rules-test.yml")).containsAll(alerts());
	}

	@Test
	void operatorsAreGivenAnAction() throws IOException {
		assertThat(found(RUNBOOK, "prometheus-rules.yml"))
			.isEqualTo(alerts().stream().map((alert) -> alert.toLowerCase(Locale.ROOT)).toList());
		assertThat(found(HEADING, "../operations.md")).isEqualTo(alerts());
	}

	@Test
	void queriesThatAreTestedAreThoseOfTheDashboard() throws IOException {
		assertThat(found(QUERY, "prometheus-rules-test.yml")).isNotEmpty()
			.allSatisfy((query) -> assertThat(Prometheus.dashboardQueries()).contains(query.replace(".*", "$queue")));
	}

	private static List<String> alerts() throws IOException {
		return found(ALERT, "prometheus-rules.yml");
	}

	private static List<String> found(Pattern pattern, String file) throws IOException {
		return pattern.matcher(Files.readString(Prometheus.OBSERVABILITY.resolve(file)))
			.results()
			.map((MatchResult match) -> match.group(1))
			.toList();
	}

}
