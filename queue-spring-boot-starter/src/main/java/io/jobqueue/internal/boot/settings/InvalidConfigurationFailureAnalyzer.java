package io.jobqueue.internal.boot.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.jobqueue.InvalidConfigurationException;

/**
 * {@link AbstractFailureAnalyzer} for what the queue finds wrong at start.
 */
class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}
