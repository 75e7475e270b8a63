package io.jobqueue.internal.store.postgresql.workflow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.StepCondition;
import io.jobqueue.StepCondition.Kind;

/**
 * Encodes conditions for their column: {@code AFTER:pay,pack:in-stock}, without a branch
 * {@code AFTER:pay,pack}. Names contain none of these separators.
 */
final class StoredConditions {

	/**
	 * Stands between the conditions of a step.
	 */
	static final String SEPARATOR = ";";

	private static final String PART = ":";

	private static final String NAME = ",";

	private StoredConditions() {
	}

	/**
	 * Return the conditions of a step in one text.
	 */
	static String encode(List<StepCondition> conditions) {
		return conditions.stream().map(StoredConditions::encode).collect(Collectors.joining(SEPARATOR));
	}

	private static String encode(StepCondition condition) {
		String encoded = condition.kind() + PART + String.join(NAME, condition.steps());
		return (condition.branch() != null) ? encoded + PART + condition.branch() : encoded;
	}

	/**
	 * Return the conditions of a row.
	 */
	static List<StepCondition> of(ResultSet row) throws SQLException {
		return Stream.of((String[]) row.getArray("conditions").getArray()).map(StoredConditions::decode).toList();
	}

	private static StepCondition decode(String encoded) {
		String[] parts = encoded.split(PART, -1);
		return new StepCondition(Kind.valueOf(parts[0]), List.of(parts[1].split(NAME, -1)),
				(parts.length > 2) ? parts[2] : null);
	}

}
