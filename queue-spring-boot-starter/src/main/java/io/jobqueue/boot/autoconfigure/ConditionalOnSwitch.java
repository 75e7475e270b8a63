package io.jobqueue.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches where a setting is on, in any of the words that Spring Boot binds to a boolean:
 * {@code yes}, {@code on} and {@code 1} mean the same here as in the properties.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSwitchCondition.class)
@interface ConditionalOnSwitch {

	/**
	 * The key of the setting.
	 */
	String value();

	/**
	 * Whether it is on where it has no value.
	 */
	boolean byDefault();

}
