package io.jobqueue.internal.boot.settings;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * {@link AbstractFailureAnalyzer} for a bean that is missing because the job queue is
 * switched off. Spring Boot's own one, which comes later, does not know the switch.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class MissingBeanFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final Environment environment;

	MissingBeanFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> type = (cause.getResolvableType() != null) ? cause.getResolvableType().resolve() : null;
		boolean enabled = this.environment.getProperty("jobqueue.enabled", Boolean.class, true);
		if (enabled || cause instanceof NoUniqueBeanDefinitionException || type == null
				|| !type.getPackageName().startsWith("io.jobqueue")) {
			return null;
		}
		return new FailureAnalysis(
				"%s requires a bean of type '%s', but 'jobqueue.enabled' is false."
					.formatted((description != null) ? description : "A component", type.getName()),
				"Set 'jobqueue.enabled' to true, define a bean of that type for this case, or inject ObjectProvider<%s>."
					.formatted(type.getSimpleName()),
				cause);
	}

}
