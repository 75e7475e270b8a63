package io.jobqueue.model;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.quicktheories.core.Configuration;

import static org.quicktheories.QuickTheory.qt;

/**
 * Whatever several workers, an operator and the clock do, and in whatever order, the
 * tables hold what the model holds. A story that fails is cut down to what it takes, and
 * printed with its seed. The system property {@code QT_SEED} repeats the same stories,
 * {@code QT_EXAMPLES} runs more of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModelTests {

	private static final int STORIES = 400;

	private static final int FEW = 20;

	private static final int CUTS = 3_000;

	private final ModelDatabase database = new ModelDatabase();

	private final Set<Story> run = new HashSet<>();

	@AfterAll
	void drop() {
		this.database.close();
	}

	/**
	 * To cut a story down takes its time.
	 */
	@Test
	@Tag("slow") // 400 stories
	@Timeout(value = 10, unit = TimeUnit.MINUTES)
	void tablesHoldWhatTheModelHolds() {
		check(Integer.getInteger(Configuration.EXAMPLES, STORIES));
	}

	@Test
	@Timeout(value = 10, unit = TimeUnit.MINUTES)
	void tablesHoldWhatTheModelHoldsInAFewStories() {
		check(FEW);
	}

	private void check(int stories) {
		qt().withExamples(stories)
			.withShrinkCycles(Integer.getInteger(Configuration.SHRINKS, CUTS))
			.forAll(Stories.any())
			.checkAssert(this::run);
	}

	/**
	 * Different numbers may make the same story, most of all when one is cut down.
	 */
	private void run(Story story) {
		if (this.run.add(story)) {
			new World(this.database).live(story);
		}
	}

}
