package io.jobqueue.internal.boot.datasource;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.InvalidConfigurationException;

/**
 * Selects a bean: the one with a qualifier of the queue, otherwise the only or the
 * primary one.
 *
 * @param <T> the type of the bean
 * @param type the type of the bean
 * @param marked the beans with the qualifier
 * @param all all beans
 */
public record BeanSelection<T>(Class<T> type, ObjectProvider<T> marked, ObjectProvider<T> all) {

	/**
	 * Select the bean.
	 * @param qualifier the qualifier, for the message
	 * @param beanFactory the factory of the beans
	 * @param none creates the exception that is thrown if there is no bean
	 * @return the bean
	 * @throws InvalidConfigurationException if there is no bean, or if there are several
	 */
	public T select(Class<? extends Annotation> qualifier, ListableBeanFactory beanFactory,
			Supplier<InvalidConfigurationException> none) {
		T selected = this.marked.getIfAvailable(this.all::getIfUnique);
		if (selected != null) {
			return selected;
		}
		List<String> names = names(this.type, beanFactory);
		if (names.isEmpty()) {
			throw none.get();
		}
		throw new InvalidConfigurationException(
				"The job queue needs one %s, but there are several, and none is primary: %s."
					.formatted(this.type.getSimpleName(), String.join(", ", names)),
				"Mark the one to use with @%s.".formatted(qualifier.getSimpleName()));
	}

	/**
	 * Return the bean name of an instance, or its {@code toString()} if it is no bean.
	 * @param <T> the type
	 * @param instance the instance
	 * @param type the type
	 * @param beanFactory the factory of the beans
	 * @return a text for messages
	 */
	public static <T> String describe(T instance, Class<T> type, ListableBeanFactory beanFactory) {
		return names(type, beanFactory).stream()
			.filter((name) -> beanFactory.getBean(name) == instance)
			.findFirst()
			.map((name) -> "the %s '%s'".formatted(type.getSimpleName(), name))
			.orElseGet(instance::toString);
	}

	/**
	 * Return the names of all beans of a type, those of parent contexts included.
	 * @param type the type
	 * @param beanFactory the factory of the beans
	 * @return the names
	 */
	public static List<String> names(Class<?> type, ListableBeanFactory beanFactory) {
		return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type));
	}

}
