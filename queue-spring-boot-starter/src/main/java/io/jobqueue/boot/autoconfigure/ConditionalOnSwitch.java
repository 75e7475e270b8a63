package io.jobqueue.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.jobqueue.InvalidConfigurationException;

/**
 * Matches if a setting is on. Unlike Spring Boot's own conditions it accepts all values
 * that bind to {@code true}: {@code yes}, {@code on} and {@code 1}, too.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnSwitch.OnSwitchCondition.class)
@interface ConditionalOnSwitch {

	/**
	 * The key of the setting.
	 */
	String value();

	/**
	 * Whether it is on without a value.
	 */
	boolean byDefault();

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
				throw new InvalidConfigurationException(
						"The setting '%s' is '%s'.".formatted(key, environment.getProperty(key)),
						"Write true or false.");
			}
		}

	}

}
