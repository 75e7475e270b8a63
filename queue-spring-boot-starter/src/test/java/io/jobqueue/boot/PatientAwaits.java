package io.jobqueue.boot;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A machine that is busy is given more time than Awaitility gives it by itself.
 */
public final class PatientAwaits implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
	}

}
