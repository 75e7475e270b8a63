package io.jobqueue.testpostgres;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives conditions 30 s instead of the 10 s of Awaitility: the machine may be busy. All
 * modules with this one on their class path find it by themselves.
 */
public final class AwaitilityTimeout implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
	}

}
