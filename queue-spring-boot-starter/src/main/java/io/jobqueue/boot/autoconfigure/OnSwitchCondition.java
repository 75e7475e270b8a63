package io.jobqueue.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * {@link SpringBootCondition} that checks {@link ConditionalOnSwitch}.
 */
class OnSwitchCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnSwitch> annotation = metadata.getAnnotations().get(ConditionalOnSwitch.class);
		String key = annotation.getString("value");
		boolean on = isOn(context.getEnvironment(), key, annotation.getBoolean("byDefault"));
		return new ConditionOutcome(on, "'%s' is %s".formatted(key, on));
	}

	private static boolean isOn(Environment environment, String key, boolean byDefault) {
		try {
			return environment.getProperty(key, Boolean.class, byDefault);
		}
		catch (ConversionException ex) {
			throw new InvalidSettingException("The setting '%s' is '%s'.".formatted(key, environment.getProperty(key)),
					"Write true or false.");
		}
	}

}
