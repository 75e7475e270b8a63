package io.jobqueue.internal.dashboard.access;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.jobqueue.internal.dashboard.DashboardProperties;

/**
 * Matches if the application says who has access.
 */
public final class OnAccess extends SpringBootCondition {

	/**
	 * Create the condition.
	 */
	public OnAccess() {
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		DashboardProperties settings = Binder.get(context.getEnvironment())
			.bindOrCreate("jobqueue.dashboard", DashboardProperties.class);
		settings.check();
		AccessMode mode = AccessMode.of(settings, AccessMode.hasSecurity(context.getClassLoader()));
		return new ConditionOutcome(mode != AccessMode.OFF, "access is " + mode);
	}

}
