package io.jobqueue.internal.dashboard.action;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.view.Form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The conditions of an action on many jobs.
 */
class BulkFilterTests {

	private static final ValueSanitizer HIDDEN = new ValueSanitizer(false, "jobqueue.dashboard.show-values");

	@Test
	void pageAndFormHaveTheSameConditions() {
		BulkFilter page = BulkFilter.ofPage(new Form(Map.of("queue", List.of("emails"), "state",
				List.of("DEAD", "CANCELLED"), "after", List.of("x"), "limit", List.of("7"))));
		BulkFilter form = BulkFilter.of(new Form(
				Map.of("queue", List.of("emails"), "state", List.of("DEAD,CANCELLED"), "reason", List.of("again"))),
				BulkAction.RETRY.fields());
		assertThat(page).isEqualTo(form);
		assertThat(form.query(HIDDEN).states()).containsExactlyInAnyOrder(JobState.DEAD, JobState.CANCELLED);
	}

	@Test
	void noConditionMeansAllJobs() {
		assertThat(BulkFilter.ofPage(new Form(Map.of())).query(HIDDEN)).hasToString(JobQuery.all().toString());
	}

	/**
	 * The number of a preview would confirm a guess.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "error", "key", "group" })
	void hiddenValuesAreNotSearched(String condition) {
		BulkFilter filter = BulkFilter.ofPage(new Form(Map.of(condition, List.of("secret"))));
		assertThatIllegalArgumentException().isThrownBy(() -> filter.query(HIDDEN))
			.withMessageContaining("'jobqueue.dashboard.show-values' controls who sees them");
		assertThat(filter.query(new ValueSanitizer(true, "any")).toString()).contains(condition);
	}

	@Test
	void unknownConditionIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> BulkFilter.of(new Form(Map.of("quue", List.of("emails"))), BulkAction.RETRY.fields())
				.query(HIDDEN))
			.withMessageContaining("quue");
	}

}
