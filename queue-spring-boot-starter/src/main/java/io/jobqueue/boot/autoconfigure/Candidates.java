package io.jobqueue.boot.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The beans of a type of which the queue needs one: that which bears our qualifier, else
 * the only or the primary one.
 *
 * @param type the type
 * @param marked those with the qualifier
 * @param all all of them
 */
record Candidates<T>(Class<T> type, ObjectProvider<T> marked, ObjectProvider<T> all) {

	T choose(Class<? extends Annotation> qualifier, ListableBeanFactory beanFactory,
			Supplier<InvalidSettingException> none) {
		T chosen = this.marked.getIfAvailable(this.all::getIfUnique);
		if (chosen != null) {
			return chosen;
		}
		List<String> names = names(this.type, beanFactory);
		if (names.isEmpty()) {
			throw none.get();
		}
		throw new InvalidSettingException(
				"The job queue needs one %s, but there are several, and none is primary: %s."
					.formatted(this.type.getSimpleName(), String.join(", ", names)),
				"Mark the one to use with @%s.".formatted(qualifier.getSimpleName()));
	}

	/**
	 * Return an instance's bean name, or its own text if it is no bean.
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
