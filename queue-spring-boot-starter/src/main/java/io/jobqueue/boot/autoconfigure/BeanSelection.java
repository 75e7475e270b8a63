package io.jobqueue.boot.autoconfigure;

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
record BeanSelection<T>(Class<T> type, ObjectProvider<T> marked, ObjectProvider<T> all) {

	T select(Class<? extends Annotation> qualifier, ListableBeanFactory beanFactory,
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
	 */
	static <T> String describe(T instance, Class<T> type, ListableBeanFactory beanFactory) {
		return names(type, beanFactory).stream()
			.filter((name) -> beanFactory.getBean(name) == instance)
			.findFirst()
			.map((name) -> "the %s '%s'".formatted(type.getSimpleName(), name))
			.orElseGet(instance::toString);
	}

	static List<String> names(Class<?> type, ListableBeanFactory beanFactory) {
		return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type));
	}

}
