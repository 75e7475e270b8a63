package io.jobqueue.test;

import java.util.function.Consumer;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Sets the time back before each test, and ends its pauses after it.
 */
class TestResetListener implements TestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext testContext) {
		with(testContext, TestTime.class, TestTime::reset);
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		with(testContext, TestPauses.class, TestPauses::endChanged);
	}

	private static <T> void with(TestContext testContext, Class<T> type, Consumer<T> work) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(type).ifAvailable(work);
		}
	}

}
