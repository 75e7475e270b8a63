package io.jobqueue.internal.kafka;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.kafka.relay.KafkaConnector;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the module may import.
 */
class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.importUrl(KafkaConnector.class.getProtectionDomain().getCodeSource().getLocation());

	@Test
	void coreIsUsedByItsPortsOnly() {
		noClasses().should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.jobqueue.internal.worker..", "io.jobqueue.internal.store.postgresql..",
					"io.jobqueue.internal.handler..", "io.jobqueue.internal.boot..")
			.check(CLASSES);
	}

	/**
	 * Threads that are made elsewhere inherit values of requests.
	 */
	@Test
	void onlyNamedThreadsAreStarted() {
		noClasses().should().callConstructorWhere(target(owner(assignableTo(Thread.class)))).check(CLASSES);
	}

}
