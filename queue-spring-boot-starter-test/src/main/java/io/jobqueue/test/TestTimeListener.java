package io.jobqueue.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Sets the time back before each test.
 */
class TestTimeListener implements TestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(TestTime.class).ifAvailable(TestTime::reset);
		}
	}

}
