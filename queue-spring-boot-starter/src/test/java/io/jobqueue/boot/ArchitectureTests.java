package io.jobqueue.boot;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.util.CustomizableThreadCreator;

import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.internal.concurrent.NamedThreads;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The imports between the packages of the starter.
 */
class ArchitectureTests {

	private static final String ROOT = "io.jobqueue.internal.boot.";

	/**
	 * Users exclude auto-configurations by name.
	 */
	private static final String AUTOCONFIGURE = "io.jobqueue.boot.autoconfigure";

	// @formatter:off
	private static final Map<String, Set<String>> ARROWS = Map.of(
			"alert", Set.of(),
			"autoconfigure", Set.of("alert", "datasource", "endpoint", "health", "metrics", "properties", "settings"),
			"datasource", Set.of("properties"),
			"endpoint", Set.of(),
			"health", Set.of("metrics", "properties"),
			"metrics", Set.of(),
			"properties", Set.of(),
			"settings", Set.of("alert", "properties"));
	// @formatter:on

	static final List<String> PACKAGES = ARROWS.keySet().stream().sorted().toList();

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.importUrl(JobQueueAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation());

	@ParameterizedTest
	@FieldSource("PACKAGES")
	void packageImportsOnlyWhatItsArrowsAllow(String name) {
		DescribedPredicate<JavaClass> allowed = resideInAnyPackage(
				ARROWS.get(name).stream().map(ArchitectureTests::qualified).toArray(String[]::new));
		noClasses().that()
			.resideInAPackage(qualified(name))
			.should()
			.dependOnClassesThat(resideInAnyPackage(ROOT + "*", AUTOCONFIGURE)
				.and(DescribedPredicate.not(resideInAPackage(qualified(name))))
				.and(DescribedPredicate.not(allowed)))
			.allowEmptyShould(true)
			.check(CLASSES);
	}

	@Test
	void everyPackageHasItsArrows() {
		assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
			.isSubsetOf(PACKAGES.stream().map(ArchitectureTests::qualified).toList());
	}

	@Test
	void packagesAreFreeOfCycles() {
		SlicesRuleDefinition.slices().matching("io.jobqueue..boot.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	/**
	 * Threads that are made elsewhere inherit values of requests, or have the class
	 * loader of the system.
	 */
	@Test
	void onlyNamedThreadsAreStarted() {
		noClasses().that()
			.doNotHaveFullyQualifiedName(NamedThreads.class.getName())
			.and()
			.doNotHaveFullyQualifiedName(NamedThreads.class.getName() + "$IndependentThreads")
			.should()
			.callConstructorWhere(target(owner(assignableTo(Thread.class).or(assignableTo(Timer.class))
				.or(assignableTo(CustomizableThreadCreator.class))
				.or(assignableTo(AsyncTaskExecutor.class)))))
			.check(CLASSES);
	}

	@Test
	void autoConfigurationsArePublicAndFinal() {
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.allowEmptyShould(true)
			.check(CLASSES);
	}

	@Test
	void autoConfigurationsHaveNoPublicMethods() {
		methods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.notBePublic()
			.allowEmptyShould(true)
			.check(CLASSES);
	}

	private static String qualified(String name) {
		return AUTOCONFIGURE.endsWith(name) ? AUTOCONFIGURE : ROOT + name;
	}

}
