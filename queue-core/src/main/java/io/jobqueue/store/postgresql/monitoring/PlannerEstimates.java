package io.jobqueue.store.postgresql.monitoring;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.postgresql.monitoring.TierCount.Question;
import io.jobqueue.store.postgresql.transaction.Parameters;
import io.jobqueue.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * Asks the planner how many rows it expects, in one statement for all tiers: a statement
 * for each would cost as many round trips as there are series.
 */
final class PlannerEstimates {

	private static final JsonMapper JSON = new JsonMapper();

	private final QueueTransaction own;

	private final Schema schema;

	PlannerEstimates(QueueTransaction own, Schema schema) {
		this.own = own;
		this.schema = schema;
	}

	List<TierCounts> complete(List<TierCount> tiers) {
		List<Question> questions = tiers.stream().flatMap((tier) -> tier.questions().stream()).toList();
		Map<Question, Long> answers = questions.isEmpty() ? Map.of() : ask(questions);
		return tiers.stream()
			.map((tier) -> tier.withEstimates((question) -> answers.getOrDefault(question, 0L)))
			.toList();
	}

	private static final String EXPLAIN = """
			EXPLAIN (FORMAT JSON)
			""";

	private static final String OF_TIER = """
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? %s
			""";

	private Map<Question, Long> ask(List<Question> questions) {
		String sql = questions.stream()
			.map((question) -> OF_TIER.formatted(question.condition()))
			.collect(Collectors.joining("UNION ALL\n", EXPLAIN, ""));
		String plan = this.own
			.query(QueueTransaction.BEGIN_MONITORING, this.schema.in(sql), (parameters) -> set(parameters, questions),
					new RowMapperResultSetExtractor<>((row, number) -> row.getString(1)))
			.get(0);
		return answers(questions, JSON.readTree(plan).at("/0/Plan"));
	}

	private static void set(Parameters parameters, List<Question> questions) throws SQLException {
		for (Question question : questions) {
			parameters.value(question.tier().queue()).value(question.tier().priority());
		}
	}

	private static Map<Question, Long> answers(List<Question> questions, JsonNode plan) {
		List<JsonNode> each = plan.path("Plans").valueStream().toList();
		Map<Question, Long> answers = new HashMap<>();
		for (int index = 0; index < questions.size(); index++) {
			answers.put(questions.get(index), each.get(index).path("Plan Rows").asLong());
		}
		return answers;
	}

}
